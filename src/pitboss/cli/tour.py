"""`pitboss tour`: what there is to see, for somebody who has just started it."""

from __future__ import annotations

import typer

from pitboss.cli.output import console

_ROUND = """{
  "rulebook": "mbs-thb-9",
  "limits": {"ante": ["25", "1000"], "bonus": ["5", "500"]},
  "jackpot": {"meter": "300000.00", "reset": "100000.00", "unit": "5"},
  "community": ["7s", "8s", "9s", "2h", "3d"],
  "dealer": ["Kd", "Kc"],
  "seats": [
    {"position": 2, "player": "p2", "cards": ["5s", "6s"], "status": "played",
     "wagers": {"ante": "25", "flop": "50", "turn": "25", "jackpot": "5"}},
    {"position": 4, "player": "p4", "cards": ["Ts", "Js"], "status": "played",
     "wagers": {"ante": "100", "flop": "200", "bonus": "10", "jackpot": "25"}},
    {"position": 5, "player": "p5", "cards": ["Ah", "4d"], "status": "folded",
     "wagers": {"ante": "25", "bonus": "10"}}
  ]
}"""
"""Two straight flushes at one table: the rule that is argued about most."""


def register(app: typer.Typer) -> None:
    app.command("tour")(tour)


def tour() -> None:
    """Show the rulebooks, settle a round that is argued about, and say what to try next."""
    from pitboss.cli.rules import print_list
    from pitboss.cli.settle import print_sheet
    from pitboss.play import read_facts, settle

    out = console()
    out.print("[bold]Pitboss[/bold] settles house-banked poker by the book. The rulebooks:\n")
    print_list(out)
    out.print("\nOne round, settled: two straight flushes share a tenth of the jackpot each.\n")
    plan, facts = read_facts(_ROUND, name="the round of the tour")
    print_sheet(out, plan, facts, settle(plan, facts))
    out.print("\n[bold]Try next[/bold]")
    for command, why in (
        ("pitboss rules show mbs-3cp-2023", "a rulebook in brief"),
        ("pitboss rules diff mbs-thb-9 rws-thp-2", "two rulebooks side by side"),
        ("pitboss rules clause rws-thp-2 4.5.1", "one clause, and what it does"),
        ("pitboss rules new my-poker --from mbs-3cp-2023", "a rulebook of your own"),
        ("pitboss settle FACTS.json", "a round of your own"),
    ):
        out.print(f"  .venv/bin/{command:<48} {why}", markup=False)
