"""What Prometheus may ask: counts and times, nothing about cards or people."""

from __future__ import annotations

from prometheus_client import REGISTRY, Counter, Gauge, Histogram, generate_latest

_TIMES = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5)

REQUESTS = Counter("pitboss_requests_total", "HTTP requests answered.", ["method", "route", "status"])
SECONDS = Histogram("pitboss_request_seconds", "Time to answer an HTTP request.", ["route"], buckets=_TIMES)
COMMANDS = Counter("pitboss_commands_total", "Requests to the floor, by outcome.", ["request", "outcome"])
SOCKETS = Gauge("pitboss_sockets", "Open WebSockets.")
WATCHERS = Gauge("pitboss_watchers", "Tables watched, counted once a watcher.")
MESSAGES = Counter("pitboss_messages_total", "Views sent on WebSockets.")
FAN_OUT = Histogram("pitboss_fan_out_seconds", "Time to hand a new version to all watchers.", buckets=_TIMES)
WAITING = Gauge("pitboss_floor_waiting", "Work that waits for the floor's thread.")
CLOCK_BEHIND = Gauge(
    "pitboss_clock_behind_seconds", "How long the oldest step of the house's clock that is due has been due."
)
CLOCK_OURS = Gauge("pitboss_clock_ours", "1 where this process runs the house's clock, else 0.")
RECORD_BROKEN = Gauge(
    "pitboss_record_broken", "1 while the record lacks what this process knows, and nothing is served."
)
DATABASES = Counter("pitboss_database_changes_total", "Times the database was another one than before.")
BREAKS = Gauge("pitboss_notice_breaks", "Times the connection for notices was lost.")


def metrics_text() -> bytes:
    """All metrics of this process, in the text format of Prometheus."""
    return generate_latest(REGISTRY)
