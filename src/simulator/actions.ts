import type { Account } from "./auth.ts";
import type { HostRecord } from "./host-terms.ts";
import { type Outcome, refuse, succeed } from "./outcome.ts";
import type { Random } from "./random.ts";
import { REGIONS } from "./regions.ts";
import type { Project, World } from "./world.ts";

const DEFAULT_LIMIT = 20;
const MAX_LIMIT = 100;

export interface ActionCall {
  params: ReadonlyMap<string, string>;
  account: Account;
  world: World;
  /** Of the order in which the addresses of a host are listed. */
  random: Random;
}

export function act(call: ActionCall): Outcome {
  const action = call.params.get("Action") ?? "";
  switch (action) {
    case "GetRegion":
      return call.account.isSub ? denied() : getRegion(call.world);
    case "GetProjectList":
      return call.account.isSub ? denied() : getProjectList(call.account);
    case "GetBalance":
      return call.account.isSub ? denied() : getBalance(call);
    case "DescribeUHostInstance":
      return describeUHostInstance(call);
    default:
      return refuse(161, `Action [${action}] not found`);
  }
}

/** UHostIds.N of a request, in its order. */
export function requestedIds(params: ReadonlyMap<string, string>): string[] {
  return [...params].filter(([name]) => /^UHostIds\.\d+$/.test(name)).map(([, id]) => id);
}

/** One row per zone. Regions that are not opened are listed too; calls to them answer 230. */
function getRegion(world: World): Outcome {
  const rows = REGIONS.flatMap(({ code, zones }, index) =>
    zones.map((zone) => ({
      RegionId: 1001 + index,
      // The real answer has the code here, not a name.
      RegionName: code,
      IsDefault: code === "cn-bj2",
      BitMaps: world.isOpen(code) ? "1111111111111111" : "0000000000000000",
      Region: code,
      Zone: zone,
    })),
  );
  return succeed({ Regions: rows });
}

function getProjectList({ projects }: Account): Outcome {
  const rows = projects.map((project) => ({
    ProjectId: project.id,
    ProjectName: project.name,
    ParentId: "",
    ParentName: "",
    CreateTime: project.createTime,
    IsDefault: project.isDefault,
    ResourceCount: 0,
    MemberCount: 3,
  }));
  return succeed({ ProjectCount: rows.length, ProjectSet: rows });
}

/**
 * In turn as the provider's reference has it, in an object and as text, and as its sample has it,
 * beside the code and as numbers, and mixed.
 */
function getBalance({ account, world, random }: ActionCall): Outcome {
  const { available, amount } = world.balanceOf(account.publicKey);
  const asText = random.chance(0.5);
  const write = (yuan: number) => (asText ? yuan.toFixed(2) : yuan);
  const amounts = {
    Amount: write(amount),
    AmountAvailable: write(available),
    AmountFree: write(0),
    AmountFreeze: write(Math.max(0, amount - available)),
    AmountCredit: write(0),
  };
  return succeed(random.chance(0.5) ? { AccountInfo: amounts } : amounts);
}

/** A page of one project and region, or hosts by id; unknown ids are left out. */
function describeUHostInstance(call: ActionCall): Outcome {
  const { params, world } = call;
  const region = params.get("Region");
  if (!region) return refuse(220, "Missing params [Region]");
  const project = findProject(call);
  if ("retCode" in project) return project;
  if (!world.isOpen(region)) return unavailable("Region");
  const offset = wholeNumber(params.get("Offset"), 0);
  const limit = wholeNumber(params.get("Limit"), DEFAULT_LIMIT);
  if (offset === undefined) return unavailable("Offset");
  if (limit === undefined || limit < 1 || limit > MAX_LIMIT) return unavailable("Limit");

  const ids = requestedIds(params);
  if (ids.length > 0) {
    const found = world.find(project.id, region, ids);
    return hostPage(call, found.length, found.slice(offset, offset + limit));
  }
  const { total, records } = world.page(project.id, region, offset, limit);
  return offset > total ? unavailable("Offset") : hostPage(call, total, records);
}

/** The addresses of a host come in another order with each answer. */
function hostPage({ random }: ActionCall, total: number, records: readonly HostRecord[]): Outcome {
  const hosts = records.map((record) => {
    const { IPSet } = record;
    return Array.isArray(IPSet) ? { ...record, IPSet: random.shuffle(IPSet) } : record;
  });
  return succeed({ TotalCount: total, UHostSet: hosts });
}

/** The named project or the default one; a sub-account has no default. */
function findProject({ params, account, world }: ActionCall): Project | Outcome {
  const id = params.get("ProjectId");
  const [first] = world.projects;
  if (!id) {
    const hasDefault = !account.isSub && first !== undefined;
    return hasDefault ? first : refuse(220, "Missing params [ProjectId]");
  }

  const project = world.projects.find((other) => other.id === id);
  if (project === undefined) return refuse(292, `Project [${id}] not exists`);
  return account.projects.includes(project) ? project : denied();
}

function denied(): Outcome {
  return refuse(299, "IAM permission denied");
}

function unavailable(name: string): Outcome {
  return refuse(230, `Params [${name}] not available`);
}

function wholeNumber(text: string | undefined, fallback: number): number | undefined {
  if (!text) return fallback;
  return /^\d{1,9}$/.test(text) ? Number(text) : undefined;
}
