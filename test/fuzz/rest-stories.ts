import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { appRouter } from "../../src/server/app-router.ts";
import { type RestProcedure, restProcedures } from "../../src/server/transport/rest/routes.ts";
import { badRequests, takeApart, wire } from "./bad-requests.ts";
import { send, sendAnd, useFuzzedApp } from "./fuzzed-app.ts";
import { expectRefusal, fingerprints, sixteenAtATime } from "./refusal.ts";
import { openScene, validCall } from "./scene.ts";
import { FUZZ_LIMIT, INPUTS, SEED } from "./seed.ts";

/** The stories of these operations; in several files, so that they run side by side. */
export function tellOfBadInput(isTold: (procedure: RestProcedure) => boolean): void {
  describe(`bad input over REST (seed ${SEED})`, () => {
    const { app, logged } = useFuzzedApp();

    for (const procedure of restProcedures(appRouter).filter(isTold)) {
      const { method, path } = procedure.route;

      it(
        `${method} ${path}: ${INPUTS} are refused in our own words and change nothing`,
        async () => {
          const { as, input } = await validCall(await openScene(app), procedure.path);
          const before = await fingerprints(app);
          const requests = fc.sample(badRequests(procedure, input), { numRuns: INPUTS, seed: SEED });
          await sixteenAtATime(requests, (request) =>
            sendAnd(as, request, ({ body, status, headers, data }) => {
              expectRefusal(body, status);
              expect(headers.get("x-request-id")).toBe(data.requestId);
            }),
          );
          expect(await fingerprints(app)).toEqual(before);
          expect(logged).toEqual([]);
          // Without this, what was spoiled might never have been good.
          const { status } = await send(as, wire(takeApart(procedure, input)));
          expect([200, 201, 409]).toContain(status);
        },
        FUZZ_LIMIT,
      );
    }
  });
}
