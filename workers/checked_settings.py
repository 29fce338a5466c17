"""Settings with which a process can start: the addresses of the database and the bucket are checked, too.

Their libraries take 0.3 s to import, so that `Settings.from_environment` alone does not check them.
"""

from __future__ import annotations

from collections.abc import Mapping

from shadowtime.workers.settings import Settings


def checked(variables: Mapping[str, str]) -> Settings:
    """Return the settings of an environment.

    Raises
    ------
    InvalidParameter
        Naming the first variable that is wrong, and the rule.
    """
    settings = Settings.from_environment(variables)
    if settings.database:
        from shadowtime.workers.records.database import check_url

        check_url(settings.database)
    if settings.blobs:
        from shadowtime.workers.records.s3_protocol import Bucket

        Bucket.from_url(settings.blobs, variables)
    return settings
