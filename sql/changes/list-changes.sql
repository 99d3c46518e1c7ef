-- GET /changes, GET /projects/:projectId/changes
-- Returns a page of changes as JSON text, and what to make the next cursor of, from one snapshot.
--
-- An entry of the journal is new to a reader if it is visible now, and was not in :base, the snapshot of the cursor. Entries
-- come in the order of their transactions, and name objects. Each object is shown once on a page, where it is named for
-- the last time, and as it is now. A page can end inside of a transaction, even of one entry that stands for many objects:
-- the next one then begins after :seq, :project, :rank and :id in the transaction :xid, and reads no other transaction.
-- With :filling, the only entry stands for everything in reach.
--
-- The reach is :projectIds, or the selection of the key :keyId as it is now, or, with :all, every project. What an entry
-- stands for depends on it, so a selection is read in the same snapshot as the entries that tell of its changes.
--
-- The order of ranks: a reader first gets what others refer to. Rank -1 is the end of a project and of everything in it, -2
-- the end of its being in reach.
with {{entries}},
{{named}},
{{page}}
