import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { appRouter } from "../../src/server/app-router.ts";
import { restProcedures } from "../../src/server/transport/rest/routes.ts";
import { ErrorBody } from "../../src/shared/errors.ts";
import { badTrpcRequests } from "./bad-requests.ts";
import { sendAnd, useFuzzedApp } from "./fuzzed-app.ts";
import { expectRefusal, fingerprints, sixteenAtATime } from "./refusal.ts";
import { openScene, validCall } from "./scene.ts";
import { FUZZ_LIMIT, INPUTS, SEED } from "./seed.ts";

const SAMPLE = Math.ceil(INPUTS / 10);
/** tRPC's envelope around our failure; what cannot be read at all is refused before tRPC sees it. */
const Refused = z.object({
  error: z.object({ message: z.string(), data: ErrorBody.omit({ message: true }).loose() }),
});

describe(`bad input over tRPC (seed ${SEED})`, () => {
  const { app, logged } = useFuzzedApp();

  it(
    `${SAMPLE} for every procedure are refused in our own words and change nothing`,
    async () => {
      const scene = await openScene(app);
      for (const procedure of restProcedures(appRouter)) {
        const { as, input } = await validCall(scene, procedure.path);
        const before = await fingerprints(app);
        const requests = fc.sample(badTrpcRequests(procedure, input), { numRuns: SAMPLE, seed: SEED });
        await sixteenAtATime(requests, (request) =>
          sendAnd(as, request, ({ body, status }) => expectRefusal(unwrapped(body), status)),
        );
        expect(await fingerprints(app), procedure.path).toEqual(before);
      }
      expect(logged).toEqual([]);
    },
    FUZZ_LIMIT,
  );
});

function unwrapped(body: unknown): unknown {
  const { success, data } = Refused.safeParse(body);
  if (!success) return body;
  const { code, requestId, errors } = data.error.data;
  return { message: data.error.message, code, requestId, ...(errors === undefined ? {} : { errors }) };
}
