"""Where the floor is kept: in memory, in SQLite, in PostgreSQL. One contract, three adapters of it."""
