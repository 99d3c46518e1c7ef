-- The fields of the line of comment c
'comment' as kind, {{commentFields}}, ({{commentFiles}})::json as files
