import { ENCRYPTION_KEY } from "./storage.ts";

/** Settings of which each is wrong by itself. */
export const BAD_SETTINGS = {
  PORT: "65536",
  HOST: "not a host",
  DATABASE_URL: "mysql://127.0.0.1/console",
  ADMIN_USERNAME: "a b",
  ADMIN_PASSWORD: "weak",
  ENCRYPTION_KEY: Buffer.alloc(31).toString("base64"),
  ENCRYPTION_KEYS_OLD: `${ENCRYPTION_KEY},x`,
  PROVIDER_ALLOWED_ORIGINS: "http://127.0.0.1:4999/path",
  PUBLIC_ORIGINS: "console.example.com",
  TRUST_PROXY: "10.0.0.0/33",
  MAX_CONNECTIONS: "0",
  MAX_CONNECTIONS_PER_ADDRESS: "1e3",
  SESSION_TTL_HOURS: "0",
  SESSION_IDLE_MINUTES: "-5",
  LOG_LEVEL: "loud",
};
