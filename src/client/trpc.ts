import { httpBatchLink, type TRPCLink } from "@trpc/client";
import { createTRPCReact } from "@trpc/react-query";
import { observable } from "@trpc/server/observable";
import type { AppRouter } from "../server/app-router.ts";
import { failureCode } from "./failure";

/** The typed hooks: `trpc.hosts.list.useQuery({ page: 1 })`. */
export const trpc = createTRPCReact<AppRouter>();

const REQUEST_TIMEOUT_MS = 30_000;
/** The server refuses more calls in one request. */
const MAX_BATCH = 20;
const MAX_URL_LENGTH = 6000;
/** Answered after its caller has left. */
const FAREWELL = "auth.logout";

type ApiOptions = {
  /** The bearer token of this moment; null while signed out. */
  token: () => string | null;
  /** Whose token that is. */
  userId: () => string | null;
  /** The server no longer accepts the token that a call was made with. */
  onUnauthenticated: (token: string) => void;
};

export type ApiClient = ReturnType<typeof createApiClient>;

/** Queries and mutations over HTTP, batched. The subscription has its own socket: live-connection.ts. */
export function createApiClient({ token, userId, onUnauthenticated }: ApiOptions) {
  const watchSession: TRPCLink<AppRouter> = () => (call) =>
    observable((observer) => {
      const used = token();
      const caller = userId();
      // The answer to somebody who has left is no business of whoever is here now: it waits for ever, as what would follow it does.
      const isForgotten = () => caller !== null && userId() !== caller && call.op.path !== FAREWELL;
      return call.next(call.op).subscribe({
        next(result) {
          if (isForgotten()) return;
          observer.next(result);
        },
        complete: () => isForgotten() || observer.complete(),
        error(error) {
          if (used !== null && failureCode(error) === "UNAUTHENTICATED") onUnauthenticated(used);
          if (isForgotten()) return;
          observer.error(error);
        },
      });
    });
  return trpc.createClient({
    links: [
      watchSession,
      httpBatchLink({
        url: "/trpc",
        maxItems: MAX_BATCH,
        maxURLLength: MAX_URL_LENGTH,
        headers() {
          const bearer = token();
          return bearer === null ? {} : { authorization: `Bearer ${bearer}` };
        },
        fetch: async (url, options) => takeAnyBody(await fetch(url, { ...options, signal: inTime(options?.signal) })),
      }),
    ],
  });
}

function inTime(signal: AbortSignal | null | undefined): AbortSignal {
  const timeout = AbortSignal.timeout(REQUEST_TIMEOUT_MS);
  return signal ? AbortSignal.any([signal, timeout]) : timeout;
}

/** A proxy's page is an answer as well. Read as an empty one it keeps its status; a failed parse would count as a lost network. */
function takeAnyBody(response: Response): Response {
  const read = response.json.bind(response);
  response.json = () =>
    read().catch((error: unknown) => {
      if (error instanceof SyntaxError) return {};
      throw error;
    });
  return response;
}
