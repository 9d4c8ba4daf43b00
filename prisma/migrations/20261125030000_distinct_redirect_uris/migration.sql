-- A client that lists a redirect URI twice had it twice in its consents, too. The next migration makes one row of each.
-- Skipped by databases that have already been migrated beyond that.
DO $$
BEGIN
  IF EXISTS (
    SELECT FROM information_schema.columns
    WHERE table_schema = current_schema() AND table_name = 'OAuthConsent' AND column_name = 'redirectUris'
  ) THEN
    UPDATE "OAuthConsent" SET
      "redirectUris" = ARRAY(SELECT DISTINCT unnest("redirectUris")),
      "organizationIds" = ARRAY(SELECT DISTINCT unnest("organizationIds"));
  END IF;
END $$;
