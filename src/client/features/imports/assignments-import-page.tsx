import { ASSIGNMENTS } from "./import-kind";
import { ImportScreen } from "./import-screen";

export function AssignmentsImportPage() {
  return <ImportScreen kind={ASSIGNMENTS} />;
}
