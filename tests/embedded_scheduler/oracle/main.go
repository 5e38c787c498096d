// Answers allocation problems with Kubernetes' own allocator: one JSON problem per line in, one answer per line out.
// With an argument it answers CEL selectors instead: the first line is a device of driver "d", then one expression each.
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"os"

	v1 "k8s.io/api/core/v1"
	resourceapi "k8s.io/api/resource/v1"
	"k8s.io/apimachinery/pkg/util/sets"
	"k8s.io/apiserver/pkg/cel/environment"
	"k8s.io/dynamic-resource-allocation/cel"
	"k8s.io/dynamic-resource-allocation/structured"
	"k8s.io/utils/ptr"
)

type problem struct {
	Node    *v1.Node
	Claims  []*resourceapi.ResourceClaim
	Slices  []*resourceapi.ResourceSlice
	Classes classes
	Held    []*resourceapi.ResourceClaim
}

type classes []*resourceapi.DeviceClass

func (c classes) List() ([]*resourceapi.DeviceClass, error) { return c, nil }

func (c classes) Get(name string) (*resourceapi.DeviceClass, error) {
	for _, class := range c {
		if class.Name == name {
			return class, nil
		}
	}
	return nil, fmt.Errorf("deviceclass.resource.k8s.io %q not found", name)
}

func main() {
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(make([]byte, 1<<24), 1<<24)
	if len(os.Args) > 1 {
		answerSelectors(lines)
		return
	}
	for lines.Scan() {
		var p problem
		must(json.Unmarshal(lines.Bytes(), &p))
		answer := map[string]any{}
		if result, err := allocate(p); err != nil {
			answer["error"] = err.Error()
		} else {
			answer["result"] = result
		}
		print(answer)
	}
}

func allocate(p problem) ([]resourceapi.AllocationResult, error) {
	features := structured.Features{
		AdminAccess: true, PrioritizedList: true, PartitionableDevices: true, DeviceTaints: true,
		DeviceBindingAndStatus: true, ConsumableCapacity: true,
	}
	cache := cel.NewCache(100, cel.Features{EnableConsumableCapacity: true})
	allocator, err := structured.NewAllocator(context.Background(), features, held(p.Held), p.Classes, p.Slices, cache)
	must(err)
	return allocator.Allocate(context.Background(), p.Node, p.Claims)
}

func held(claims []*resourceapi.ResourceClaim) structured.AllocatedState {
	state := structured.AllocatedState{
		AllocatedDevices:         sets.New[structured.DeviceID](),
		AllocatedSharedDeviceIDs: sets.New[structured.SharedDeviceID](),
		AggregatedCapacity:       structured.NewConsumedCapacityCollection(),
	}
	for _, claim := range claims {
		for _, result := range claim.Status.Allocation.Devices.Results {
			id := structured.MakeDeviceID(result.Driver, result.Pool, result.Device)
			switch {
			case ptr.Deref(result.AdminAccess, false):
			case result.ShareID == nil:
				state.AllocatedDevices.Insert(id)
			default:
				state.AllocatedSharedDeviceIDs.Insert(structured.MakeSharedDeviceID(id, result.ShareID))
				if result.ConsumedCapacity != nil {
					state.AggregatedCapacity.Insert(structured.NewDeviceConsumedCapacity(id, result.ConsumedCapacity))
				}
			}
		}
	}
	return state
}

// For each expression: what is wrong with it in a new object ("refused"), the most that it may cost ("cost"), and what
// the scheduler gets for the device ("result" or "error").
func answerSelectors(lines *bufio.Scanner) {
	features := cel.Features{EnableConsumableCapacity: true}
	compiler, cache := cel.GetCompiler(features), cel.NewCache(100, features)
	var device resourceapi.Device
	lines.Scan()
	must(json.Unmarshal(lines.Bytes(), &device))
	for lines.Scan() {
		var expression string
		must(json.Unmarshal(lines.Bytes(), &expression))
		answer := map[string]any{}
		if found := compiler.CompileCELExpression(expression, cel.Options{EnvType: ptr.To(environment.NewExpressions)}); found.Error != nil {
			answer["refused"] = found.Error.Detail
		} else {
			answer["cost"] = fmt.Sprint(found.MaxCost)
		}
		evaluate(answer, cache.GetOrCompile(expression), device)
		print(answer)
	}
}

func evaluate(answer map[string]any, compiled cel.CompilationResult, device resourceapi.Device) {
	if compiled.Error != nil {
		answer["error"] = compiled.Error.Detail
		return
	}
	matches, _, err := compiled.DeviceMatches(context.Background(), cel.Device{
		Driver: "d", AllowMultipleAllocations: device.AllowMultipleAllocations,
		Attributes: device.Attributes, Capacity: device.Capacity,
	})
	if err != nil {
		answer["error"] = "CEL runtime error: " + cel.EnhanceRuntimeError(err).Error()
		return
	}
	answer["result"] = matches
}

func print(answer map[string]any) {
	line, err := json.Marshal(answer)
	must(err)
	fmt.Println(string(line))
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}
