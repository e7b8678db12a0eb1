"""For all tests: what is drawn at random has as long as it needs, since another process may have the core just then."""

from hypothesis import HealthCheck, settings

settings.register_profile("patient", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("patient")
