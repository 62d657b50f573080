import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { appRouter } from "../../src/server/app-router.ts";
import { restProcedures } from "../../src/server/transport/rest/routes.ts";
import { ErrorBody } from "../../src/shared/errors.ts";
import { badTrpcRequests } from "./bad-requests.ts";
import { digests, expectRefusal, FUZZ_LIMIT, INPUTS, SEED, sendAll, useFuzzedServer } from "./fuzzed-server.ts";
import { insertRows, validCall } from "./valid-calls.ts";

const SAMPLE = Math.ceil(INPUTS / 10);
/** tRPC's envelope around our failure; what cannot be read at all is refused before tRPC sees it. */
const Refused = z.object({
  error: z.object({ message: z.string(), data: ErrorBody.omit({ message: true }).loose() }),
});

describe(`bad input over tRPC (seed ${SEED})`, { timeout: FUZZ_LIMIT }, () => {
  const { app, logged } = useFuzzedServer();

  it(`is refused by every procedure (${SAMPLE} requests) with the contract's failures and changes nothing`, async () => {
    const rows = await insertRows(app);
    for (const procedure of restProcedures(appRouter)) {
      const { as, input } = await validCall(rows, procedure.path);
      const before = await digests(app);
      const requests = fc.sample(badTrpcRequests(procedure, input), { numRuns: SAMPLE, seed: SEED });
      await sendAll(as, requests, ({ body, status }) => expectRefusal(unwrapped(body), status));
      expect(await digests(app), procedure.path).toEqual(before);
    }
    expect(logged).toEqual([]);
  });
});

function unwrapped(body: unknown): unknown {
  const { success, data } = Refused.safeParse(body);
  if (!success) return body;
  const { code, requestId, errors } = data.error.data;
  return { message: data.error.message, code, requestId, ...(errors === undefined ? {} : { errors }) };
}
