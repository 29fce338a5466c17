"""What pages are looked at: the laboratory of the dashboard's tests, served."""

from tests.dashboard.conftest import ask, finish, four, lab, serve, site

__all__ = ["ask", "finish", "four", "lab", "serve", "site"]
