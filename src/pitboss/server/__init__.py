"""The floor on the network: commands over HTTP, live views over WebSocket, sign-in. No rules of its own."""
