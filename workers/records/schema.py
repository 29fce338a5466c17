"""Define the tables of the database of record.

Times are UTC texts of one length, `2025-03-01T12:00:00.123456Z`, so that they sort. JSON is stored as text:
PostgreSQL's own type would rewrite numbers. A row's `checksum` covers all its other columns.
"""

from __future__ import annotations

from sqlalchemy import Column, Index, MetaData, String, Table, Text

metadata = MetaData(naming_convention={"ix": "%(column_0_N_label)s", "pk": "%(table_name)s_key"})

DIGEST, TIME, WORD = String(64), String(32), String(64)

links = Table(
    "links",
    metadata,
    Column("code", WORD, primary_key=True),
    Column("target", Text, nullable=False),
    Column("title", Text, nullable=False),
    Column("made", TIME, nullable=False),
    Column("owner", Text),
    Column("salt", WORD, nullable=False),
    Column("revoked", TIME, nullable=False),
    Column("runs", Text, nullable=False),
    Column("checksum", DIGEST, nullable=False),
)

reruns = Table(
    "reruns",
    metadata,
    Column("digest", DIGEST, primary_key=True),
    Column("status", WORD, nullable=False),
    Column("values", Text, nullable=False),
    Column("checksum", DIGEST, nullable=False),
    Index("reruns_by_status", "status"),
)

bounds = Table(
    "bounds",
    metadata,
    Column("digest", DIGEST, primary_key=True),
    Column("status", WORD, nullable=False),
    Column("values", Text, nullable=False),
    Column("checksum", DIGEST, nullable=False),
    Index("bounds_by_status", "status"),
)
