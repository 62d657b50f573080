export { createConsoleClient } from "./console-client.ts";
export { errorCode } from "./error-code.ts";
