import { insertRows, type Queryable } from "./database.ts";

/** The password of every user that the tests create. */
export const PASSWORD = "Correct1Horse";
/** The first super admin. */
export const ROOT_USER = { username: "root", password: PASSWORD };
/** The settings that make it the first super admin. */
export const ROOT_ENV = { ADMIN_USERNAME: ROOT_USER.username, ADMIN_PASSWORD: ROOT_USER.password };

/** A way to put the first super admin back after the tables were emptied. */
export async function keepRoot(database: Queryable): Promise<() => Promise<void>> {
  const [root] = await database.query(
    "select to_jsonb(u) as row from users u where username = 'root'",
  );
  if (root === undefined) throw new Error("the server has made no first super admin");
  return () => insertRows(database, "users", [Object(root.row)]);
}
