-- workgate doctor --repair: all triggers in force, and no answer that was given meanwhile.
select workgate.enable_triggers(), workgate.touch()
