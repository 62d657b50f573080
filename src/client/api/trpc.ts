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
 * aborted and the stream reconnects. `onSecondFactorRequired` hears of each call that was refused
 * because the caller has to set up a second factor first.
 */
export function createTrpcClient(session: SessionStore, onSecondFactorRequired: () => void) {
  let inFlight = new AbortController();
  const transport = createTransport({
    url: `${location.origin}/trpc`,
    token: session.token,
    signal: () => inFlight.signal,
    onHandshake: (isAccepted) => void noteHandshake(isAccepted),
  });
  const streamStart = createStreamStart();
  session.onTokenChange(() => {
    inFlight.abort();
    inFlight = new AbortController();
    streamStart.beginSession();
    transport.reconnect();
  });

  /** A call is refused for the token it was sent with, a subscription for the present one. */
  const reactToRefusal: TRPCLink<AppRouter> =
    () =>
    ({ op, next }) => {
      const sent = session.token();
      return next(op).pipe(
        tap({
          error(error) {
            const code = errorCode(error);
            if (code === "UNAUTHENTICATED") {
              session.expire(op.type === "subscription" ? session.token() : sent);
            }
            if (code === "SECOND_FACTOR_REQUIRED") onSecondFactorRequired();
          },
        }),
      );
    };

  return trpc.createClient({
    links: [reactToRefusal, readServerTime, streamStart.link, ...transport.links],
  });
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

/**
 * Opens the stream at the event that was the newest when the first answer of this session was read.
 * A page is read while its stream is still being opened; in this way the stream brings what has
 * changed in between, and nothing has to be read a second time.
 */
function createStreamStart() {
  let newest: string | null = null;
  let start: string | null = null;

  function learn(response: unknown): void {
    if (!(response instanceof Response)) return;
    newest = response.headers.get("last-event-id") ?? newest;
    start ??= newest;
  }

  const link: TRPCLink<AppRouter> =
    () =>
    ({ op, next }) => {
      if (op.type !== "subscription") {
        return next(op).pipe(tap({ next: ({ context }) => learn(context?.response) }));
      }
      return next(start === null ? op : { ...op, input: { lastEventId: start } });
    };

  return {
    link,
    /** The sign-in is the answer before its session. */
    beginSession(): void {
      start = newest;
    },
  };
}
