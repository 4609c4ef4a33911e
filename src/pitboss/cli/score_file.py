"""The file in which the terminal keeps a school's scores: written whole or not at all."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

from pitboss.cli.output import read_text
from pitboss.errors import BadInput
from pitboss.school.scores import BookScore, Trainees, read_scores, write_scores

SCORES_FILE = "school.json"


def scores_file(named: str | None) -> Path:
    """The file that was named, else the one in the user's data folder."""
    if named is not None:
        return Path(named)
    from pitboss.bootstrap import settings

    return settings(None, None).data / SCORES_FILE


class ScoreFile:
    """Scores on the disk. What others have written meanwhile is kept."""

    def __init__(self, file: Path) -> None:
        self.file = file
        self.all()

    def all(self) -> Trainees:
        """Every trainee's scores. Raises `BadInput` for a file that cannot be read; it is left alone."""
        if not self.file.exists():
            return {}
        try:
            return read_scores(read_text(str(self.file)), name=str(self.file))
        except BadInput as bad:
            remedy = "; ".join(
                filter(None, (bad.remedy, "the scores are left as they are: mend or move the file"))
            )
            raise BadInput(bad.place, bad.problem, remedy) from bad

    def check_writable(self) -> None:
        """Raises `BadInput` where no score could be kept, before somebody works for it."""
        try:
            self.file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            with tempfile.NamedTemporaryFile(dir=self.file.parent, prefix=f".{self.file.name}."):
                return
        except OSError as error:
            raise self._unwritten(error) from error

    def _unwritten(self, error: OSError) -> BadInput:
        problem = f"'{self.file}' cannot be written: {error.strerror}"
        return BadInput("--scores", problem, "name another file")

    def of(self, trainee: str, book: str) -> BookScore:
        """One trainee's score in one book."""
        return self.all().get(trainee, {}).get(book, BookScore())

    def keep(self, trainee: str, book: str, score: BookScore) -> None:
        """Write one score; the file is replaced in one go."""
        trainees = self.all()
        trainees.setdefault(trainee, {})[book] = score
        try:
            self.file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            handle, name = tempfile.mkstemp(dir=self.file.parent, prefix=f".{self.file.name}.")
            try:
                with os.fdopen(handle, "w", encoding="utf-8") as out:
                    out.write(write_scores(trainees))
                    out.flush()
                    os.fsync(out.fileno())
                Path(name).replace(self.file)
            except BaseException:
                Path(name).unlink(missing_ok=True)
                raise
        except OSError as error:
            raise self._unwritten(error) from error
