import { z } from "zod";

// The policy has no 'unsafe-eval': without this, zod's probe for it is reported as a violation.
// Must be imported before any schema.
z.config({ jitless: true });
