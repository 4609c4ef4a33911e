"""The dealer school: problems from the real engine, answers marked with the clause, scores that remember."""
