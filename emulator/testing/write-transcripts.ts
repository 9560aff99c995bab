/**
 * Runs as a separate process: reads options from standard input, and writes a transcript for each to standard output.
 */
import { text } from "node:stream/consumers";
import { type Transcript, type TranscriptOptions, recordTwoWorlds } from "./two-worlds-transcript.js";

const orders = JSON.parse(await text(process.stdin)) as TranscriptOptions[];
const transcripts: Transcript[] = [];
for (const order of orders) transcripts.push(await recordTwoWorlds(order));
process.stdout.write(JSON.stringify(transcripts));
