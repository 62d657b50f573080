import type { SimulatorControl } from "../../src/simulator/control.ts";
import type { HostRecord } from "../../src/simulator/generate-host.ts";

/** As it is but for the patch, and in the same region of another project. */
export function moveHost(control: SimulatorControl, id: string, projectId: string, patch: HostRecord = {}): void {
  const region = control.hosts().find((host) => host.id === id)?.region;
  if (region === undefined) throw new Error(`there is no host ${id}`);
  const record = control.host(id);
  control.removeHosts({ ids: [id] });
  control.addHosts({ region, projectId, patch: { ...record, UHostId: id, ...patch } });
}
