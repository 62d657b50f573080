import type { TRPCLink } from "@trpc/client";
import { createTRPCReact } from "@trpc/react-query";
import { tap } from "@trpc/server/observable";
import { learnServerTime } from "@/lib/server-time";
import type { SessionStore } from "@/session/session-store";
import { createTransport } from "../../sdk/transport.ts";
import type { AppRouter } from "../../server/app-router.ts";
import { errorCode } from "./errors";
import { noteHandshake } from "./handshakes";

/** The typed hooks: `trpc.hosts.list.useQuery({ page: 1 })`. */
export const trpc = createTRPCReact<AppRouter>();

/**
 * The client behind the hooks. It speaks for the present session: when that changes, calls are
 * aborted and the stream reconnects.
 */
export function createTrpcClient(session: SessionStore) {
  let inFlight = new AbortController();
  const transport = createTransport({
    url: `${location.origin}/trpc`,
    token: session.token,
    signal: () => inFlight.signal,
    onHandshake: (isAccepted) => void noteHandshake(isAccepted),
  });
  session.onTokenChange(() => {
    inFlight.abort();
    inFlight = new AbortController();
    transport.reconnect();
  });

  /** A call is refused for the token it was sent with, a subscription for the present one. */
  const signOutWhenRefused: TRPCLink<AppRouter> =
    () =>
    ({ op, next }) => {
      const sent = session.token();
      return next(op).pipe(
        tap({
          error(error) {
            if (errorCode(error) === "UNAUTHENTICATED") {
              session.expire(op.type === "subscription" ? session.token() : sent);
            }
          },
        }),
      );
    };

  return trpc.createClient({ links: [signOutWhenRefused, readServerTime, ...transport.links] });
}

/** Every answer over HTTP, a refusal included, tells the time. */
const readServerTime: TRPCLink<AppRouter> =
  () =>
  ({ op, next }) => {
    const sentAt = performance.now();
    const learn = (response: unknown) => {
      if (response instanceof Response) learnServerTime(response, sentAt);
    };

    return next(op).pipe(
      tap({
        next: ({ context }) => learn(context?.response),
        error: ({ meta }) => learn(meta?.response),
      }),
    );
  };
