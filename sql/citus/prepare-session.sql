-- workgate distribute, in the session of each node: what follows is created on this node alone, in any order, and the
-- definitions that are read name every schema.
set citus.enable_ddl_propagation = off;
set check_function_bodies = off;
set client_min_messages = warning;
set search_path = pg_catalog, pg_temp;
