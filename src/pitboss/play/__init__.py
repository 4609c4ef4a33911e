"""One round of play: what becomes of it, pure and by the plan."""

from pitboss.play.facts import Facts, JackpotFacts, Limit, Seat, Status
from pitboss.play.facts_file import read_facts
from pitboss.play.settlement import Settlement, SettlementLine, check_facts, settle
from pitboss.play.sheet import settlement_json

__all__ = [
    "Facts",
    "JackpotFacts",
    "Limit",
    "Seat",
    "Settlement",
    "SettlementLine",
    "Status",
    "check_facts",
    "read_facts",
    "settle",
    "settlement_json",
]
