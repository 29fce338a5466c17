"""What a heterogeneous site is: machines, clusters, and what it knows from experience of how long jobs take."""

from shadowtime.engine.site.experience import Experience
from shadowtime.engine.site.site import Outage, Site, check_platform, check_size, make_site

__all__ = ["Experience", "Outage", "Site", "check_platform", "check_size", "make_site"]
