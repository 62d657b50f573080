import description from "../../../package.json" with { type: "json" };

export function productVersion(): string {
  return description.version;
}
