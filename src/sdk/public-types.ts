import type { ExportAuditInput } from "../shared/audit.ts";
import type { LoginAnswer } from "../shared/auth.ts";
import type { ErrorCode } from "../shared/error-kinds.ts";
import type { FieldError } from "../shared/errors.ts";
import type { ExportHostsInput } from "../shared/hosts.ts";
import type { ImportResult } from "../shared/imports.ts";
import type { ExportRenewalsInput } from "../shared/renewals.ts";
import type { ExportUsersInput } from "../shared/users.ts";
import type { ConsoleApi } from "./console-api.ts";

// Printed into the package's index.d.ts as it stands; the imported types are printed from the
// schemas.

export interface ConsoleClientOptions {
  /** Address of the console, such as `https://console.example.com`; it may have a path. */
  readonly url: string;
  /** An API token (`hct_…`), or the token of an earlier sign-in; without one call `login`. */
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
   * five minutes. For an account with a second factor the answer is a challenge: send it with a code
   * to `api.auth.secondFactor`.
   */
  login(username: string, password: string): Promise<LoginAnswer>;
  /**
   * Downloads the whole of a list as a CSV file, as the caller may see it, with the list's filter:
   * `const { fileName, content } = await client.download("hosts", { status: "Running" })`. Fails with
   * a `ConsoleError` before the file begins; TOO_MANY_REQUESTS when the user downloads two already.
   */
  download<Name extends keyof DownloadFilters>(
    name: Name,
    filter?: DownloadFilters[Name],
    options?: DownloadOptions,
  ): Promise<Download>;
  /**
   * Imports a CSV file of users or of assignments. Without `dryRun: false` nothing is written, and the
   * result says what would be: `await client.upload("users", text, { dryRun: false })`. Good rows are
   * written and bad ones reported. Fails with a `ConsoleError` when the file as a whole is refused.
   */
  upload(
    name: "users" | "assignments",
    file: string | Uint8Array<ArrayBuffer>,
    options?: UploadOptions,
  ): Promise<ImportResult>;
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

/** What can be downloaded, and what each is narrowed and sorted by. */
export interface DownloadFilters {
  readonly hosts: Partial<ExportHostsInput>;
  readonly users: Partial<ExportUsersInput>;
  readonly renewals: Partial<ExportRenewalsInput>;
  readonly audit: ExportAuditInput;
}

export interface DownloadOptions {
  /** Ends the download, also while the file is read. */
  readonly signal?: Signal | undefined;
  /** Hears how many bytes of the file have arrived. How many there will be nobody knows. */
  readonly onProgress?: ((bytes: number) => void) | undefined;
}

export interface Download {
  /** Such as `主机-2026-12-01.csv`. */
  readonly fileName: string;
  /**
   * The bytes of the file, which may be read once. Reading throws a `ConsoleError` when the transfer
   * breaks off or is ended: then the file is not whole. Whoever stops reading ends the download.
   */
  readonly content: AsyncIterable<Uint8Array<ArrayBuffer>>;
}

export interface UploadOptions {
  /** True unless it is given. */
  readonly dryRun?: boolean | undefined;
  /** Ends the upload at the row that is being written; the rows before it stay. */
  readonly signal?: Signal | undefined;
}

export interface SubscriptionListener<Received> {
  readonly signal?: Signal;
  readonly onStarted?: () => void;
  readonly onData?: (received: Received) => void;
  /**
   * The subscription failed, with code UNAUTHENTICATED when its session or API token ended. A lost
   * connection is no error.
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
