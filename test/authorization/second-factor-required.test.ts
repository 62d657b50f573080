import { beforeEach, describe, expect, it } from "vitest";
import { appRouter } from "../../src/server/app-router.ts";
import { listProcedures } from "../../src/server/platform/http/rest/routes.ts";
import { useApp } from "../harness/app.ts";
import { transportsOf } from "../harness/transports.ts";

/** What a user may call whose role must have a second factor, and who has none. */
const BEFORE_SECOND_FACTOR = [
  "auth.login",
  "auth.secondFactor",
  "auth.me",
  "auth.changePassword",
  "auth.refresh",
  "auth.logout",
  "auth.setUpTotp",
  "auth.confirmTotp",
];

const app = useApp();

describe("a super admin who lacks a required second factor", () => {
  let token: string | null;

  beforeEach(async () => {
    const own = await app.account("super_admin");
    token = own.token;
    await app.database.query("update settings set second_factor_required_roles = '{super_admin}'");
  });

  it.each(listProcedures(appRouter).filter(({ path }) => !BEFORE_SECOND_FACTOR.includes(path)))(
    "is refused $path over every transport, before its input is read",
    async (procedure) => {
      for (const [transport, send] of transportsOf(procedure)) {
        // A path needs an id.
        const input = { id: "x", hostId: "x", unknownField: "x" };
        const { code } = await send(app.url, { procedure, input, token });
        expect([transport, code]).toEqual([transport, "SECOND_FACTOR_REQUIRED"]);
      }
    },
  );

  // Refused calls of the other kind would end the session.
  it.each(
    listProcedures(appRouter).filter(
      ({ path }) => BEFORE_SECOND_FACTOR.includes(path) && path !== "auth.me",
    ),
  )("reaches $path over every transport", async (procedure) => {
    for (const [transport, send] of transportsOf(procedure)) {
      const { code } = await send(app.url, { procedure, input: { unknownField: "x" }, token });
      expect([transport, code]).toEqual([transport, "INVALID_INPUT"]);
    }
  });
});
