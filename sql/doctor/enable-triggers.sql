-- workgate doctor --repair: enables all triggers and invalidates responses that were cached while some were disabled.
select workgate.enable_triggers(), workgate.touch()
