import Lobby from "../screens/Lobby.svelte";
import { begin } from "./begin";

begin(Lobby);
