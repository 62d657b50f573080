import { Migrator } from "@mikro-orm/migrations";
import { defineConfig } from "@mikro-orm/postgresql";
import { ENTITIES, MIGRATIONS } from "./src/server/database/entities.ts";

/** For the command line only (npm run migration:create); the server sets up its own ORM in src/server/database/open.ts. */
export default defineConfig({
  clientUrl: process.env.DATABASE_URL ?? "postgres://postgres@127.0.0.1:5432/postgres",
  entities: ENTITIES,
  extensions: [Migrator],
  migrations: {
    path: "src/server/database/migrations",
    migrationsList: MIGRATIONS,
    tableName: "schema_migrations",
    emit: "ts",
  },
});
