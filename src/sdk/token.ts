import type { OperationLink, TRPCLink } from "@trpc/client";
import { observable, type Unsubscribable } from "@trpc/server/observable";
import type { AppRouter } from "../server/app-router.ts";
import { errorCode } from "./error-code.ts";

export interface Token {
  current(): string | null;
  /** Resolves when no call is under way that changes it. */
  settled(): Promise<void>;
  onChange(listener: () => void): void;
  /** Takes the token over from whatever call gives or ends one, and sends calls again that a refresh has overtaken. */
  readonly link: TRPCLink<AppRouter>;
}

const REFRESH = "auth.refresh";
const CHANGING = new Set(["auth.login", REFRESH, "auth.logout"]);

/** The bearer token that all calls share. */
export function createToken(first: string | null): Token {
  let token = first;
  let signIns = 0;
  const listeners: (() => void)[] = [];
  const underWay = new Set<Promise<void>>();

  function take(path: string, answer: unknown): void {
    const next = path === "auth.logout" ? null : tokenIn(answer);
    if (next === token) return;
    token = next;
    if (path !== REFRESH) signIns += 1;
    for (const listener of listeners) listener();
  }

  async function settled(): Promise<void> {
    while (underWay.size > 0) await Promise.all(underWay);
  }

  const changing: OperationLink<AppRouter> = ({ op, next }) =>
    observable((observer) => {
      const { promise, resolve } = completion();
      underWay.add(promise);
      const call = next(op).subscribe({
        next(answer) {
          if ("data" in answer.result) take(op.path, answer.result.data);
          observer.next(answer);
        },
        complete: () => observer.complete(),
        error: (error) => observer.error(error),
      });
      return () => {
        call.unsubscribe();
        underWay.delete(promise);
        resolve();
      };
    });

  /** A refresh ends the token that calls under way were sent with. They were refused before anything was done: they go again. */
  const renewed: OperationLink<AppRouter> = ({ op, next }) =>
    observable((observer) => {
      let call: Unsubscribable | undefined;
      let isOver = false;

      function send(): void {
        const sent = { token, signIns };
        call = next(op).subscribe({
          next: (answer) => observer.next(answer),
          complete: () => observer.complete(),
          async error(error) {
            if (errorCode(error) !== "UNAUTHENTICATED") return observer.error(error);
            await settled();
            if (isOver) return;
            // Not in the name of somebody who has signed in meanwhile.
            if (token !== sent.token && signIns === sent.signIns) send();
            else observer.error(error);
          },
        });
      }

      send();
      return () => {
        isOver = true;
        call?.unsubscribe();
      };
    });

  return {
    current: () => token,
    settled,
    onChange: (listener) => void listeners.push(listener),
    link: () => (operation) => {
      if (CHANGING.has(operation.op.path)) return changing(operation);
      return operation.op.type === "subscription" ? operation.next(operation.op) : renewed(operation);
    },
  };
}

function tokenIn(answer: unknown): string | null {
  if (typeof answer !== "object" || answer === null || !("token" in answer)) return null;
  return typeof answer.token === "string" ? answer.token : null;
}

/** Promise.withResolvers, which Node 20 does not have. */
function completion(): { promise: Promise<void>; resolve: () => void } {
  let resolve: () => void = () => undefined;
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}
