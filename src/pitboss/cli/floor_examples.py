"""An example for each command of the floor that is made from a request. They tell one day, in this order."""

from __future__ import annotations

_DIGITS = "00112233445566778899aabbccddeeff" * 2

EXAMPLES: dict[str, str] = {
    "create": 'pitboss floor create "My house" --data floor',
    "add-person": "pitboss floor add-person dora dealer --data floor",
    "move-person": "pitboss floor move-person dora dealer-inspector --data floor",
    "approve-rulebook": "pitboss floor approve-rulebook mbs-stud-6 --by gina --data floor",
    "open-link": "pitboss floor open-link mega SGD 5 100000 2000 500 gus --ceiling 900000 --data floor",
    "add-table": "pitboss floor add-table t1 --data floor",
    "open-table": (
        "pitboss floor open-table t1 mbs-stud-6 100=100,25=200,5=200 --link mega --by mara --data floor"
    ),
    "assign-staff": "pitboss floor assign-staff t1 dora --by mara --data floor",
    "set-limits": "pitboss floor set-limits t1 ante=25:500 --by mara --data floor",
    "add-player": "pitboss floor add-player p1 --by dora --data floor",
    "limit-player": "pitboss floor limit-player p1 --loss 500 --minutes 120 --by player/p1 --data floor",
    "buy-in": "pitboss floor buy-in t1 p1 500 --by dora --data floor",
    "take-seat": "pitboss floor take-seat t1 1 p1 --by player/p1 --data floor",
    "call-supervisor": 'pitboss floor call-supervisor t1 --reason "a large win" --by dora --data floor',
    "answer-call": "pitboss floor answer-call t1 --by mara --data floor",
    "enter-unnoticed": "pitboss floor enter-unnoticed t1 1 p1 ante 10 --by dora --data floor",
    "commit-entropy": f"pitboss floor commit-entropy t1 laptop {_DIGITS} --by player/p1 --data floor",
    "reveal-entropy": f"pitboss floor reveal-entropy t1 laptop {_DIGITS} --by player/p1 --data floor",
    "fill": "pitboss floor fill t1 25=100 gina --by mara --data floor",
    "credit": "pitboss floor credit t1 25=100 gina --by mara --data floor",
    "open-dispute": 'pitboss floor open-dispute t1 1 "the ante was 50" --by player/p1 --data floor',
    "note-dispute": 'pitboss floor note-dispute 1 "25 on the felt" --by mara --data floor',
    "give-time-frame": "pitboss floor give-time-frame 1 --minutes 30 --by gina --data floor",
    "escalate-dispute": "pitboss floor escalate-dispute 1 --by mara --data floor",
    "decide-dispute": (
        'pitboss floor decide-dispute 1 "the stake was 25" referred house --complaint-explained '
        "--by gina --data floor"
    ),
    "file-complaint": 'pitboss floor file-complaint 1 "I object" --by player/p1 --data floor',
    "answer-complaint": 'pitboss floor answer-complaint 1 "the film shows 25" --by ada --data floor',
    "verify-claim": "pitboss floor verify-claim mega 1 --by mara --data floor",
    "reject-claim": 'pitboss floor reject-claim mega 1 "no such hand" --by gina --data floor',
    "determine-order": "pitboss floor determine-order mega 2,1 --by gina --data floor",
    "plan-parameters": (
        'pitboss floor plan-parameters mega "a higher reset" gus --reset 150000 --by gina --data floor'
    ),
    "transfer": 'pitboss floor transfer mega meter overflow 100 "a promotion" gus --by gina --data floor',
    "fail-link": 'pitboss floor fail-link mega "the sign is dark" --by mara --data floor',
    "restore-link": "pitboss floor restore-link mega --by mara --data floor",
    "leave-seat": "pitboss floor leave-seat t1 1 --by player/p1 --data floor",
    "cash-out": "pitboss floor cash-out t1 p1 --by dora --data floor",
    "set-dealing": "pitboss floor set-dealing t1 house --betting-seconds 20 --by mara --data floor",
    "exclude-player": "pitboss floor exclude-player p1 --until 2030-01-01 --by player/p1 --data floor",
    "relieve-staff": "pitboss floor relieve-staff t1 dora --by mara --data floor",
    "close-table": "pitboss floor close-table t1 100=100,25=200,5=200 --by mara --data floor",
    "withdraw-rulebook": 'pitboss floor withdraw-rulebook mbs-stud-6 "a new version" --by gina --data floor',
    "remove-person": "pitboss floor remove-person dora --data floor",
}

SHORT: dict[str, str] = {
    "limit-player": "Sets what a player may lose, and how long he plays.",
    "withdraw-rulebook": "Opens no more tables with a rulebook.",
    "set-dealing": "Has a person or the house's clock deal a table.",
    "enter-unnoticed": "Enters a stake that nobody noticed in time.",
    "commit-entropy": "Commits a device of a player to a secret.",
    "reveal-entropy": "Reveals what a device has committed to.",
    "answer-call": "Somebody of the pit has come to a table.",
    "open-link": "Opens a link of tables with its jackpot.",
    "determine-order": "Says in which order waiting claims were dealt.",
    "restore-link": "Puts a jackpot back in order.",
    "fail-link": "Puts a jackpot out of order.",
    "plan-parameters": "Plans a jackpot's figures for after the next hit.",
}
"""Lines of the list of commands where the first words of the help alone would say something else."""
