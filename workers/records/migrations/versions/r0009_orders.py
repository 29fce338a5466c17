"""Indexes of runs with all columns that lists filter by; without the row counts that made SQLite choose a wrong one."""

from alembic import op

revision = "0009"
down_revision = "0008"

INDEXES = {
    "runs_by_status": "status accepted digest algorithm owner label",
    "runs_by_algorithm": "algorithm accepted digest status owner label",
    "runs_by_name": "name accepted digest status algorithm owner label",
    "runs_by_jobs": "jobs accepted digest status algorithm owner label",
    "runs_by_took": "took accepted digest status algorithm owner label",
    "runs_by_workload": "workload accepted digest",
}


def upgrade() -> None:
    """Replace the indexes, and remove the counts."""
    for name, columns in INDEXES.items():
        op.drop_index(name, "runs")
        op.create_index(name, "runs", columns.split())
    if op.get_bind().dialect.name == "sqlite":
        for table in ("sqlite_stat1", "sqlite_stat4"):
            op.execute(f"DROP TABLE IF EXISTS {table}")
