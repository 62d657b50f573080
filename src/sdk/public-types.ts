import type { SignIn } from "../shared/auth.ts";
import type { ErrorCode } from "../shared/error-kinds.ts";
import type { FieldError } from "../shared/errors.ts";
import type { ConsoleApi } from "./console-api.ts";

// Printed into the package's index.d.ts as it stands; the imported types are printed from the
// schemas.

export interface ConsoleClientOptions {
  /** Address of the console, such as `https://console.example.com`; it may have a path. */
  readonly url: string;
  /** Token of an earlier sign-in; without it call `login`. */
  readonly token?: string | null | undefined;
  /**
   * For subscriptions where there is no global `WebSocket`, as in Node.js 20: the class of the
   * package `ws`.
   */
  readonly WebSocket?: WebSocketClass | undefined;
}

export interface ConsoleClient {
  /** `await client.api.hosts.list.query({ status: "Running" })` */
  readonly api: ConsoleApi;
  /**
   * Signs in; later calls and open subscriptions use the new token, as they do after
   * `api.auth.refresh`. Fails with LOGIN_FAILED, or TOO_MANY_REQUESTS after ten wrong passwords in
   * five minutes.
   */
  login(username: string, password: string): Promise<SignIn>;
  /**
   * Completes the subscriptions and closes their connection. Calls still work; a new subscription
   * opens a new one.
   */
  close(): Promise<void>;
}

/** Fails with a `ConsoleError`. */
export interface Query<Input, Output> {
  query(input: Input, options?: CallOptions): Promise<Output>;
}

/** Fails with a `ConsoleError`. */
export interface Mutation<Input, Output> {
  mutate(input: Input, options?: CallOptions): Promise<Output>;
}

/**
 * Runs over a WebSocket that reconnects by itself; the subscription then resumes after the last
 * event received.
 */
export interface Subscription<Input, Received> {
  subscribe(input: Input, listener: SubscriptionListener<Received>): { unsubscribe(): void };
}

export interface CallOptions {
  readonly signal?: Signal;
}

export interface SubscriptionListener<Received> {
  readonly signal?: Signal;
  readonly onStarted?: () => void;
  readonly onData?: (received: Received) => void;
  /**
   * The subscription failed, with code UNAUTHENTICATED when its session ended. A lost connection is
   * no error.
   */
  readonly onError?: (error: ConsoleError) => void;
  /**
   * The connection is being opened (`connecting`, with the error that closed it) or is open
   * (`pending`).
   */
  readonly onConnectionStateChange?: (state: {
    readonly state: string;
    readonly error: Error | null;
  }) => void;
  /** The subscription was ended by `close()`. */
  readonly onComplete?: () => void;
}

/**
 * Error of a failed call. `message` is the server's text in Chinese, or says why there was no
 * answer.
 */
export interface ConsoleError extends Error {
  /** Missing when nothing answered: no connection, or a time-out. */
  readonly data?: ErrorDetails | null | undefined;
}

export interface ErrorDetails {
  readonly code: ErrorCode;
  readonly httpStatus: number;
  /** Identifies the call in the server's log; empty when another program answered. */
  readonly requestId: string;
  /** The refused fields, with INVALID_INPUT. */
  readonly errors?: readonly FieldError[] | undefined;
}

/** The part of the standard `WebSocket` that is used. */
export interface WebSocketClass {
  new (
    url: string,
  ): { readonly readyState: number; send(data: string): void; close(code?: number): void };
  readonly OPEN: number;
}

/** `AbortSignal`, where the runtime's types have it. */
export type Signal = typeof globalThis extends { AbortSignal: { prototype: infer Found } }
  ? Found
  : never;
