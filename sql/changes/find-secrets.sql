-- GET /changes: the secrets of cursors, if the process does not know the one of a cursor yet.
select encode(s.secret, 'hex') as secret from workgate.cursor_secrets s
