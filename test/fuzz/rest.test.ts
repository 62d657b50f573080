import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { appRouter } from "../../src/server/app-router.ts";
import { restProcedures } from "../../src/server/transport/rest/routes.ts";
import { badRequests, takeApart, wire } from "./bad-requests.ts";
import { digests, expectRefusal, FUZZ_LIMIT, INPUTS, SEED, send, sendAll, useFuzzedServer } from "./fuzzed-server.ts";
import { insertRows, validCall } from "./valid-calls.ts";

describe(`bad input over REST (seed ${SEED})`, { timeout: FUZZ_LIMIT }, () => {
  const { app, logged } = useFuzzedServer();

  it.each(restProcedures(appRouter).map((procedure) => ({ procedure, ...procedure.route })))(
    `is refused by $method $path (${INPUTS} requests) with the contract's failures and changes nothing`,
    async ({ procedure }) => {
      const { as, input } = await validCall(await insertRows(app), procedure.path);
      const before = await digests(app);
      const requests = fc.sample(badRequests(procedure, input), { numRuns: INPUTS, seed: SEED });
      await sendAll(as, requests, ({ body, status, headers, data }) => {
        expectRefusal(body, status);
        expect(headers.get("x-request-id")).toBe(data.requestId);
      });
      expect(await digests(app)).toEqual(before);
      expect(logged).toEqual([]);
      // The call that the bad requests were made from is a good one.
      const { status } = await send(as, wire(takeApart(procedure, input)));
      expect([200, 201, 409]).toContain(status);
    },
  );
});
