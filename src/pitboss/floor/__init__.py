"""The casino: tables, people, money, links. Every use case loads, decides and appends, all or nothing."""
