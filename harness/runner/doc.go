// Package runner runs GitHub Actions jobs on a GPU host. Each job gets a new runner, and nothing is kept between jobs.
//
// It runs as root and may register runners; the jobs run as a separate user without that right. For each job it
// requests a just-in-time registration from GitHub, which is valid for one job, creates a folder with a copy of the
// runner's software and a new home, and starts the runner as the jobs' user. After the job it kills every process of
// the user and deletes every file of the user: the folder, and files in folders that all users share.
//
// # Vocabulary
//
// The software is the runner that GitHub publishes, unpacked in a folder that root owns. The account is the user that
// runs the jobs and nothing else.
//
// # What it never does
//
// It never gives the account the token, and never runs a job as root or as the user who started it. It does not defend
// against bugs of the kernel or of the GPU's driver: a host that runs untrusted code should also be reinstalled
// regularly.
package runner
