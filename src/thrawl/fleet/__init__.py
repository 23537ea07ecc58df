"""Many forums side by side: in one process, and on many machines by PostgreSQL and Ray."""
