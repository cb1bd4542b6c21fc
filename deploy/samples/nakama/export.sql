-- Writes what `muster import nakama` reads, from a database of Nakama's, into the current folder:
--   psql --file export.sql DATABASE-URL
-- One snapshot for all, so that the files agree. Banned users and the system's own are left out.
\set ON_ERROR_STOP on
BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY;
\copy (SELECT id, username, display_name, apple_id, facebook_id, google_id, gamecenter_id, steam_id FROM users WHERE id <> '00000000-0000-0000-0000-000000000000' AND disable_time < '1970-01-03') TO 'users.csv' WITH (FORMAT csv, HEADER)
\copy (SELECT source_id, destination_id, state, floor(extract(epoch FROM update_time) * 1000)::bigint AS updated FROM user_edge WHERE state IN (0, 3)) TO 'edges.csv' WITH (FORMAT csv, HEADER)
\copy (SELECT id, title, sort_order, operator, authoritative, reset_schedule FROM leaderboard) TO 'leaderboards.csv' WITH (FORMAT csv, HEADER)
\copy (SELECT leaderboard_id, owner_id, score, subscore, floor(extract(epoch FROM update_time) * 1000)::bigint AS updated, floor(extract(epoch FROM expiry_time) * 1000)::bigint AS expires FROM leaderboard_record) TO 'records.csv' WITH (FORMAT csv, HEADER)
COMMIT;
