"""What a network run must hold, measured on processes and sockets of this machine: `make network-bars`."""
