import { z } from "zod";
import { ChangePasswordInput, EndedSessions, LoginInput, OwnSession, SignIn } from "../../shared/auth.ts";
import { BatchHostResult, BatchHosts, BatchHostsInput } from "../../shared/batch.ts";
import { Config, ConfigTest, ConfigTestStep, CreateConfigInput, UpdateConfigInput } from "../../shared/configs.ts";
import { ErrorBody, ErrorCode, FieldError } from "../../shared/errors.ts";
import { ExpiryCounts, HostSummary, MonthlyExpiries, RegionCounts } from "../../shared/host-summary.ts";
import {
  AssignHostInput,
  Host,
  HostIp,
  HostList,
  HostStatus,
  HostUser,
  UnassignHostInput,
} from "../../shared/hosts.ts";
import { Id, Nothing } from "../../shared/ids.ts";
import { Pagination } from "../../shared/page.ts";
import {
  CreateRenewalInput,
  ProcessRenewalInput,
  Renewal,
  RenewalDecision,
  RenewalList,
  RenewalStatus,
} from "../../shared/renewals.ts";
import { Role } from "../../shared/roles.ts";
import { Settings, UpdateSettingsInput } from "../../shared/settings.ts";
import { SyncRun, SyncRunError, SyncRunList, SyncRuns, SyncStatus, SyncTrigger } from "../../shared/sync.ts";
import { UnixSeconds } from "../../shared/time.ts";
import {
  CreateUserInput,
  ResetPasswordResult,
  UpdateUserInput,
  User,
  UserList,
  UserReference,
} from "../../shared/users.ts";
import { refineSchema } from "./openapi-constraints.ts";
import { describeFields } from "./openapi-glossary.ts";
import type { JsonSchema } from "./openapi-types.ts";

/** The shapes that have a name of their own in the document. */
const NAMED: Readonly<Record<string, z.ZodType>> = {
  ...{ AssignHostInput, BatchHostResult, BatchHosts, BatchHostsInput, ChangePasswordInput, Config, ConfigTest },
  ...{ ConfigTestStep, CreateConfigInput, CreateRenewalInput, CreateUserInput, EndedSessions, ErrorBody, ErrorCode },
  ...{
    ExpiryCounts,
    FieldError,
    Host,
    HostIp,
    HostList,
    HostStatus,
    HostSummary,
    HostUser,
    Id,
    LoginInput,
    MonthlyExpiries,
    Nothing,
    OwnSession,
    Pagination,
    ProcessRenewalInput,
    RegionCounts,
  },
  ...{ Renewal, RenewalDecision, RenewalList, RenewalStatus, ResetPasswordResult, Role, Settings, SignIn },
  ...{ SyncRun, SyncRunError, SyncRunList, SyncRuns, SyncStatus, SyncTrigger, UnassignHostInput, UnixSeconds },
  ...{ UpdateConfigInput, UpdateSettingsInput, UpdateUserInput, User, UserList, UserReference },
};

/** An input, taken apart for path, query and body. */
export interface InputFields {
  readonly name: string | undefined;
  readonly schema: JsonSchema;
  readonly properties: Readonly<Record<string, JsonSchema>>;
  readonly required: readonly string[];
}

export interface Schemas {
  readonly components: ReadonlyMap<string, JsonSchema>;
  /** A reference for a named shape, the schema itself for others. */
  output(shape: z.ZodType): JsonSchema;
  /** An input without a name in `components`: add what becomes a body. */
  input(shape: z.ZodType): InputFields;
  add(name: string, schema: JsonSchema): JsonSchema;
}

/** Turns the contract's shapes into JSON schemas; named ones that were met are collected in `components`. */
export function createSchemas(): Schemas {
  const registry = z.registry<{ id: string }>();
  for (const [id, shape] of Object.entries(NAMED)) registry.add(shape, { id });
  const components = new Map<string, JsonSchema>();

  function add(name: string, schema: JsonSchema): JsonSchema {
    const described = describeFields(name, schema);
    const known = components.get(name);
    if (known !== undefined && JSON.stringify(known) !== JSON.stringify(described)) {
      throw new Error(`${name} means two things in the API document`);
    }
    components.set(name, described);
    return { $ref: `#/components/schemas/${name}` };
  }

  function convert(shape: z.ZodType, io: "input" | "output") {
    const converted = z.toJSONSchema(shape, { io, metadata: registry, unrepresentable: "any", override: refineSchema });
    const { $schema: _, $defs = {}, ...root } = hoistReferences(converted);
    return { root, named: new Map(Object.entries($defs)) };
  }

  return {
    components,
    add,
    output(shape) {
      const { root, named } = convert(shape, "output");
      for (const [name, schema] of named) add(name, schema);
      return root;
    },
    input(shape) {
      const { root, named } = convert(shape, "input");
      const name = root.$ref?.split("/").at(-1);
      const schema = (name === undefined ? undefined : named.get(name)) ?? root;
      if (name !== undefined) named.delete(name);
      for (const [each, nested] of named) add(each, nested);
      return { name, schema, properties: propertiesOf(schema), required: schema.required ?? [] };
    },
  };
}

function propertiesOf(schema: JsonSchema): Record<string, JsonSchema> {
  return Object.fromEntries(
    Object.entries(schema.properties ?? {}).map(([name, property]) => [
      name,
      typeof property === "boolean" ? {} : property,
    ]),
  );
}

function hoistReferences(schema: JsonSchema): JsonSchema {
  return JSON.parse(JSON.stringify(schema).replaceAll('"#/$defs/', '"#/components/schemas/'));
}
