"""The school's own problem sets of a floor: whatever lies in the folder `school` among its data."""

from __future__ import annotations

from pathlib import Path

import structlog

from pitboss.errors import BadInput
from pitboss.school.set_files import OwnSet, read_own

FOLDER = "school"
MARK = "set-"
log = structlog.get_logger("pitboss.server")


class OwnSets:
    """Sets by their names on the wire; a file that has changed is read again."""

    def __init__(self, data: Path) -> None:
        self._folder = data / FOLDER
        self._kept: dict[Path, tuple[object, OwnSet | None]] = {}

    def all(self) -> dict[str, OwnSet]:
        """Every set that can be drilled. One that cannot is logged and left out."""
        found: dict[str, OwnSet] = {}
        for path in sorted(self._folder.iterdir()) if self._folder.is_dir() else ():
            own = self._read(path) if path.is_dir() or path.suffix == ".json" else None
            if own is not None:
                found[f"{MARK}{path.stem}"] = own
        return found

    def _read(self, path: Path) -> OwnSet | None:
        files = sorted((path if path.is_dir() else self._folder).glob("*.json"))
        state = [(file.name, file.stat().st_mtime_ns, file.stat().st_size) for file in files]
        if path not in self._kept or self._kept[path][0] != state:
            try:
                own: OwnSet | None = read_own(path)
            except BadInput as bad:
                log.warning("problem-set", problem=str(bad))
                own = None
            self._kept[path] = (state, own)
        return self._kept[path][1]
