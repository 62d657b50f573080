import { type Operation, TRPCClientError, type TRPCLink, wsLink } from "@trpc/client";
import { observable, type Unsubscribable } from "@trpc/server/observable";
import type { AppRouter } from "../server/app-router.ts";
import type { ErrorCode } from "../shared/errors.ts";
import { errorCode } from "./error-code.ts";
import type { WebSocketClass } from "./public-types.ts";
import { createResumption } from "./resumption.ts";
import { openSocket, type Socket } from "./socket.ts";
import type { Token } from "./token.ts";

export interface LiveLinkOptions {
  /** `ws://…/trpc` */
  readonly url: string;
  readonly token: Token;
  readonly WebSocket: WebSocketClass | undefined;
}

export interface LiveLink {
  readonly link: TRPCLink<AppRouter>;
  close(): Promise<void>;
}

/** Subscriptions over one socket, which is opened for the first of them. A session that is over ends them all with UNAUTHENTICATED. */
export function createLiveLink({ url, token, WebSocket }: LiveLinkOptions): LiveLink {
  const refusals = new Set<() => void>();
  /** Of those that wait to begin anew, which no socket knows of. */
  const completions = new Set<() => void>();
  let socket: Socket | null = null;

  function present(): Socket {
    socket ??= openSocket({ url, token, WebSocket: findWebSocket(WebSocket), onRefused: refuseAll });
    return socket;
  }

  function refuseAll(): void {
    for (const refuse of [...refusals]) refuse();
    void close();
  }

  async function close(): Promise<void> {
    const closing = socket;
    socket = null;
    for (const complete of [...completions]) complete();
    await closing?.close();
  }

  token.onChange(() => socket?.renew());

  const link: TRPCLink<AppRouter> =
    (runtime) =>
    ({ op, next }) =>
      observable((observer) => {
        let lastEventId: string | undefined;
        let inner: Unsubscribable | undefined;
        let isOver = false;
        let pause: ReturnType<typeof setTimeout> | undefined;
        const resumption = createResumption();

        function refuse(): void {
          observer.error(unauthenticated());
        }

        function complete(): void {
          observer.complete();
        }

        function subscribe(used: Socket): void {
          inner = wsLink<AppRouter>({ client: used.client })(runtime)({ op: after(op, lastEventId), next }).subscribe({
            next(answer) {
              if ("data" in answer.result) resumption.heard();
              if ("id" in answer.result && typeof answer.result.id === "string") lastEventId = answer.result.id;
              observer.next(answer);
            },
            complete,
            error(error) {
              if (used.isRefused() || errorCode(error) === "UNAUTHENTICATED") void goOn(used);
              else if (wasNeverAsked(used, error)) beginAnew(error, "UNAVAILABLE");
              else beginAnew(error, errorCode(error));
            },
          });
        }

        function beginAnew(error: TRPCClientError<AppRouter>, code: ErrorCode | null): void {
          const delay = resumption.delayAfter(code);
          if (delay === null) {
            observer.error(error);
            return;
          }
          completions.add(complete);
          pause = setTimeout(() => {
            completions.delete(complete);
            subscribe(present());
          }, delay);
        }

        /** The session is over, unless it was changed for another one meanwhile. */
        async function goOn(used: Socket): Promise<void> {
          await token.settled();
          if (isOver) return;
          if (used !== socket) return complete();
          if (used.isRefused() || token.current() === used.offered()) return refuse();
          used.renew();
          subscribe(present());
        }

        if (token.current() === null) return refuse();
        refusals.add(refuse);
        try {
          subscribe(present());
        } catch (error) {
          observer.error(TRPCClientError.from(error instanceof Error ? error : new Error(String(error))));
        }
        return () => {
          isOver = true;
          refusals.delete(refuse);
          completions.delete(complete);
          clearTimeout(pause);
          inner?.unsubscribe();
        };
      });

  return { link, close };
}

/**
 * The socket went between its opening and the question, which the client throws away then, where a moment later it would have asked
 * again. Why it went (a session that is over, a server that stops) comes after this, and decides the next try.
 */
function wasNeverAsked(used: Socket, error: TRPCClientError<AppRouter>): boolean {
  return error.shape === undefined && !used.isOpen();
}

/** Reads on after that event, in place of where it once began. */
function after(op: Operation, lastEventId: string | undefined): Operation {
  if (lastEventId === undefined) return op;
  return { ...op, input: typeof op.input === "object" ? { ...op.input, lastEventId } : { lastEventId } };
}

function findWebSocket(given: WebSocketClass | undefined): WebSocketClass {
  const found = given ?? globalThis.WebSocket;
  if (found !== undefined) return found;
  throw new Error(
    "there is no WebSocket here: pass one, createConsoleClient({ url, WebSocket }), such as the package ws",
  );
}

/** What the server would have said, had it answered over this socket. */
function unauthenticated(): TRPCClientError<AppRouter> {
  const data = { code: "UNAUTHENTICATED", httpStatus: 401, requestId: "" } as const;
  return TRPCClientError.from({ error: { code: -32001, message: "认证失败，请重新登录", data } });
}
