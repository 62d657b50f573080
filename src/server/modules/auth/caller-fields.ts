/** What a call knows of its user `u`, be it in a session or with an API token. */
export const CALLER_FIELDS = [
  "u.id",
  "u.username",
  "u.name",
  "u.role",
  "u.mustChangePassword",
] as const;
