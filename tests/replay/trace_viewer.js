// SPDX-License-Identifier: BSD-3-Clause
// Reads a trace with the importer of the Trace Event viewer (chrome://tracing) and prints what that has found, as JSON:
// node trace_viewer.js VIEWER TRACE
'use strict';
const fs = require('fs');
const vm = require('vm');

const [viewer, trace] = process.argv.slice(2);
const page = fs.readFileSync(viewer, 'utf8');
const script = page.match(/<script[^>]*>([^]*?)<\/script>/)[1];
const parts = script.split(/(?=^'use strict';|(?<=[;}])'use strict';)/m);

// The viewer has a mode without a display, for a shell of JavaScript of its authors. There its parts
// that show something fail, as they have no document; a part that the importer needs would be missed below.
const place = vm.createContext({console, performance, setTimeout, clearTimeout, TextDecoder, isVinn: true});
place.global = place;
const first = parts.findIndex(part => part.includes('tr.isVinn=true'));
for (const part of parts.slice(first)) {
  try {
    vm.runInContext(part, place);
    place.window = place.window || {};  // each library that it brings along takes it away
  } catch (error) {
    if (part.includes('TraceEventImporter')) throw error;
  }
}

place.text = fs.readFileSync(trace, 'utf8');
console.log(vm.runInContext(`
  const model = new tr.Model();
  new tr.importer.Import(model).importTraces([text]);
  const threads = model.getAllProcesses().flatMap(process => Object.values(process.threads));
  const outermost = slice => slice.parentSlice ? outermost(slice.parentSlice) : slice;
  const end = slice => ({rank: slice.parentContainer.tid, call: outermost(slice).title, args: outermost(slice).args});
  JSON.stringify({
    warnings: model.importWarnings.map(warning => warning.message),
    processes: model.getAllProcesses().map(process => process.name),
    threads: threads.map(thread => thread.name),
    slices: threads.map(thread => thread.sliceGroup.topLevelSlices.length),
    messages: model.flowEvents.map(flow => ({sent: end(flow.startSlice), received: end(flow.endSlice),
                                             forward: flow.start < flow.end})),
  })`, place));
